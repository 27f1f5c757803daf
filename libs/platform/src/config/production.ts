import { parsedUrl } from '@meetmark/contracts';
import { ValidateBy, type ValidationArguments } from 'class-validator';

/** What the rules below use; not every process reads all of it. */
interface InstallationSettings {
  nodeEnv?: string;
  publicUrl?: string;
  databaseUrl?: string;
  redisUrl?: string;
}

/** Whether the address is this machine's own, so that no network is involved. */
export function isLoopback(address: string): boolean {
  const host = parsedUrl(address)?.hostname;
  if (host === undefined) return false;
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
  );
}

/** Whether people reach this installation from elsewhere; false in a process without PUBLIC_URL. */
export const servesPeople = ({ nodeEnv, publicUrl }: InstallationSettings): boolean =>
  nodeEnv === 'production' && publicUrl !== undefined && !isLoopback(publicUrl);

/** Refuses a value that is unsafe in an installation for people. */
export const SafeForPeople = (isSafe: (value: unknown) => boolean, message: string) =>
  ValidateBy({
    name: 'isSafeForPeople',
    validator: {
      validate: (value: unknown, given?: ValidationArguments) =>
        !servesPeople((given?.object ?? {}) as InstallationSettings) || isSafe(value),
      defaultMessage: () => message,
    },
  });

/** The address that browsers use: cookies and passwords travel to it. */
export const PublicUrlForPeople = () =>
  SafeForPeople(
    (value) => String(value).startsWith('https://'),
    'must begin with https:// in production, unless it is an address of this machine itself',
  );

/** Characters: a random secret has more different ones, and does not repeat itself. */
const DIFFERENT = 8;

/** Whether the secret looks typed rather than random, such as `aaaaaaaa…` or `passwordpassword…`. */
export function isWeakSecret(secret: string): boolean {
  return new Set(secret).size < DIFFERENT || /^(.{1,16}?)\1+.{0,15}$/s.test(secret);
}

/** One line for each connection that may be unencrypted on a network. It shows no values: they contain passwords. */
export function warningsAbout({ nodeEnv, databaseUrl, redisUrl }: InstallationSettings): string[] {
  if (nodeEnv !== 'production') return [];
  const warnings: string[] = [];
  if (redisUrl?.startsWith('redis:') && !isLoopback(redisUrl))
    warnings.push('REDIS_URL begins with redis://: what is said to Redis is not encrypted (rediss:// is)');
  const mode = databaseUrl === undefined ? '' : new URL(databaseUrl).searchParams.get('sslmode');
  if (
    databaseUrl !== undefined &&
    !isLoopback(databaseUrl) &&
    !/^(require|verify-ca|verify-full)$/.test(mode ?? '')
  )
    warnings.push('DATABASE_URL has no sslmode=verify-full: what is said to PostgreSQL may not be encrypted');
  return warnings;
}
