import { parsedUrl } from '@meetmark/contracts';
import { ValidateBy, type ValidationArguments } from 'class-validator';

interface InstallationSettings {
  nodeEnv?: string;
  publicUrl?: string;
  databaseUrl?: string;
  redisUrl?: string;
}

export function isLoopback(address: string): boolean {
  const host = parsedUrl(address)?.hostname;
  if (host === undefined) return false;
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
  );
}

export const servesPeople = ({ nodeEnv, publicUrl }: InstallationSettings): boolean =>
  nodeEnv === 'production' && publicUrl !== undefined && !isLoopback(publicUrl);

export const SafeForPeople = (isSafe: (value: unknown) => boolean, message: string) =>
  ValidateBy({
    name: 'isSafeForPeople',
    validator: {
      validate: (value: unknown, given?: ValidationArguments) =>
        !servesPeople((given?.object ?? {}) as InstallationSettings) || isSafe(value),
      defaultMessage: () => message,
    },
  });

/** Requires https in production, to protect cookies and passwords. */
export const PublicUrlForPeople = () =>
  SafeForPeople(
    (value) => String(value).startsWith('https://'),
    'must start with https:// in production, unless it is an address of this machine',
  );

/** Random secrets always have at least this many distinct characters. */
const DIFFERENT = 8;

/** Whether a person probably typed the secret, such as `aaaaaaaa…` or `passwordpassword…`. */
export function isWeakSecret(secret: string): boolean {
  return new Set(secret).size < DIFFERENT || /^(.{1,16}?)\1+.{0,15}$/s.test(secret);
}

/** Doesn't show URLs, because they contain passwords. */
export function warningsAbout({ nodeEnv, databaseUrl, redisUrl }: InstallationSettings): string[] {
  if (nodeEnv !== 'production') return [];
  const warnings: string[] = [];
  if (redisUrl?.startsWith('redis:') && !isLoopback(redisUrl))
    warnings.push(
      'REDIS_URL starts with redis://: the connection is not encrypted. Use rediss:// to encrypt it',
    );
  const mode = databaseUrl === undefined ? '' : new URL(databaseUrl).searchParams.get('sslmode');
  if (
    databaseUrl !== undefined &&
    !isLoopback(databaseUrl) &&
    !/^(require|verify-ca|verify-full)$/.test(mode ?? '')
  )
    warnings.push(
      'DATABASE_URL has no sslmode=verify-full: the connection may not be encrypted. Add it to encrypt the connection',
    );
  return warnings;
}
