export interface RateLimit {
  points: number;
  seconds: number;
  /** Characters of a reply per additional point. If undefined, replies cost no points. */
  characters?: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const THOUSAND = 1_000;

export const RATE_LIMITS = {
  'sign-in-failures': { points: 10, seconds: 15 * MINUTE },
  'sign-in-attempts': { points: 25, seconds: 5 * MINUTE },
  'sign-in-failures-anywhere': { points: 100, seconds: HOUR },
  'sign-up': { points: 5, seconds: 30 * MINUTE },
  'code-requests': { points: 60, seconds: 10 * MINUTE },
  'code-requests-daily': { points: 300, seconds: DAY },
  'code-attempts': { points: 60, seconds: 10 * MINUTE },
  'address-changes': { points: 3, seconds: DAY },
  'password-changes': { points: 10, seconds: 10 * MINUTE },
  setup: { points: 10, seconds: 15 * MINUTE },
  pictures: { points: 30, seconds: 30 * MINUTE },
  registrations: { points: 30, seconds: MINUTE },
  'guest-mails': { points: 120, seconds: 10 * MINUTE },
  'message-tests': { points: 20, seconds: 10 * MINUTE },
  'mail-checks': { points: 20, seconds: 10 * MINUTE },
  'import-urls': { points: 20, seconds: 10 * MINUTE },
  'member-searches': { points: 120, seconds: 5 * MINUTE },
  // Phones often reload the guest list, which must not prevent check-ins.
  door: { points: 600, seconds: 5 * MINUTE, characters: 256 * THOUSAND },
  'door-tries': { points: 100, seconds: 5 * MINUTE },
  'walk-in-mails': { points: 100, seconds: 10 * MINUTE },
  misses: { points: 100, seconds: 5 * MINUTE },
  pages: { points: 1_200, seconds: 5 * MINUTE },
  media: { points: 6_000, seconds: 5 * MINUTE },
  anonymous: { points: 1_200, seconds: 5 * MINUTE, characters: 16 * THOUSAND },
  'signed-in': { points: 1_500, seconds: 5 * MINUTE, characters: 32 * THOUSAND },
} as const satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof RATE_LIMITS;

/** Limits that are counted in memory, so that cached pages don't wait for Redis. */
export const COUNTED_ALONE: ReadonlySet<RateLimitName> = new Set(['pages', 'media']);

const TEST_FACTOR = 1_000;

/**
 * @param changes `name=points/seconds`, separated by commas
 * @throws Error that names the invalid part
 */
export function rateLimits(profile: 'standard' | 'test', changes = ''): Record<RateLimitName, RateLimit> {
  const limits: Record<string, RateLimit> = { ...RATE_LIMITS };
  for (const change of changes.split(',').filter((text) => text.trim() !== '')) {
    const [, name, points, seconds] = /^\s*([a-z-]+)=([1-9]\d*)\/([1-9]\d*)\s*$/.exec(change) ?? [];
    if (name === undefined || !Object.hasOwn(limits, name))
      throw new Error(`"${change.trim()}" is not <name>=<points>/<seconds> with a known name`);
    limits[name] = { ...limits[name], points: Number(points), seconds: Number(seconds) };
  }
  const factor = profile === 'test' ? TEST_FACTOR : 1;
  const inForce = Object.entries(limits).map(([name, limit]) => [
    name,
    { ...limit, points: limit.points * factor },
  ]);
  return Object.fromEntries(inForce) as Record<RateLimitName, RateLimit>;
}

export function problemOfRateLimits(changes: unknown): string | null {
  try {
    rateLimits('standard', String(changes));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
