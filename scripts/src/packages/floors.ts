/** Oldest versions without the faults that are known of them; of what is not installed there is nothing to check. */
export const FLOORS: Record<string, { version: string; because: string }> = {
  '@nestjs/core': { version: '11.1.18', because: 'CVE-2026-35515, server-sent events' },
  '@nestjs/common': { version: '11.1.16', because: 'CVE-2024-29409, trusted the header of an upload' },
  '@nestjs/platform-fastify': { version: '11.1.16', because: 'CVE-2026-33011, guards passed by HEAD' },
  '@nestjs/microservices': { version: '11.1.19', because: 'CVE-2026-40879, stack overflow by 47 KB' },
  multer: { version: '2.1.0', because: 'CVE-2026-3304 and three before it, crashes' },
  validator: { version: '13.15.16', because: 'CVE-2025-56200, isURL' },
  typeorm: { version: '1.0.0', because: 'typeorm#11873, the first row for an undefined id' },
  'express-session': { version: '1.18.2', because: 'CVE-2025-7339, by on-headers' },
  'on-headers': { version: '1.1.0', because: 'CVE-2025-7339' },
  passport: { version: '0.6.0', because: 'CVE-2022-25896, session fixation' },
  nodemailer: { version: '7.0.11', because: 'CVE-2025-14874, and misrouted addresses before 7.0.7' },
  'path-to-regexp': { version: '8.0.0', because: 'CVE-2024-45296, slow expressions' },
};

export interface LockFile {
  packages: Record<string, { version?: string; dev?: boolean }>;
}

/** Every package in the lock file, nested copies too, that is older than it may be. */
export function belowFloor({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([place, { version = '' }]) => {
    const name = place.split('node_modules/').at(-1) ?? '';
    const floor = FLOORS[name];
    if (floor === undefined || !isOlder(version, floor.version)) return [];
    return [`${place} ${version} < ${floor.version}: ${floor.because}`];
  });
}

/** What comes before a release of the same number counts as older. */
function isOlder(version: string, floor: string): boolean {
  const [release = '', preview] = version.split('-', 2);
  const order = release.localeCompare(floor, 'en', { numeric: true });
  return order < 0 || (order === 0 && preview !== undefined);
}
