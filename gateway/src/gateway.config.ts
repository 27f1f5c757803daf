import {
  IdentityKey,
  IdentityKeys,
  IntegerVariable,
  PrivateKeyVariable,
  SafeForPeople,
  SecretsVariable,
  ServiceConfig,
  SiteConfig,
} from '@meetmark/platform';
import { IsIn, IsOptional, IsString, ValidateBy, type ValidationArguments } from 'class-validator';
import { problemOfRateLimits } from './rate-limits/rate-limits.js';

const MAX_PORT = 65_535;
const MAX_PROXIES = 10;
/** Milliseconds. */
const MAX_FAREWELL = 10_000;

/** With another key the services would refuse every identity, so the gateway does not start. */
const PublicPartIsKnown = () =>
  ValidateBy({
    name: 'isPublicPartKnown',
    validator: {
      validate: (value: unknown, given) => isKnown(String(value), given?.object as GatewayConfig),
      defaultMessage: () => 'must be the private part of one of IDENTITY_PUBLIC_KEYS',
    },
  });

function isKnown(privateKey: string, { identityPublicKeys }: GatewayConfig): boolean {
  try {
    return new IdentityKeys(identityPublicKeys).has(new IdentityKey(privateKey).id);
  } catch {
    return true; // no keys at all, which another rule refuses
  }
}

/** The variables of the gateway, in addition to those of every service. */
export class GatewayConfig extends SiteConfig(ServiceConfig) {
  /** Signs identities for the services; only the gateway has it. Its public part is among IDENTITY_PUBLIC_KEYS. */
  @PublicPartIsKnown()
  @PrivateKeyVariable()
  identityPrivateKey!: string;

  @SecretsVariable()
  declare gatewayAuthSecrets: string[];

  @SecretsVariable()
  declare gatewayEventsSecrets: string[];

  @SecretsVariable()
  declare gatewayAdminSecrets: string[];

  /** The one port that browsers reach. 0 takes any free port. */
  @IntegerVariable(0, MAX_PORT)
  port = 8080;

  @IsString()
  host = '0.0.0.0';

  /** Sign session cookies: the first one signs, all are accepted. */
  @SecretsVariable()
  sessionSecrets!: string[];

  /** Verify the links of mails (one-click unsubscribe); the worker signs them. */
  @SecretsVariable()
  linkSecrets!: string[];

  /** The number of proxies in front that append to X-Forwarded-For. With 0 that header is ignored. */
  @IntegerVariable(0, MAX_PROXIES)
  trustedProxies = 0;

  /** Milliseconds that a stop waits for connections in use to hear of it, before it accepts no more. */
  @IntegerVariable(0, MAX_FAREWELL)
  farewell = 1_000;

  /** Folder of the built web application; without it only the API is served. */
  @IsOptional()
  @IsString()
  webRoot?: string;

  /** `test` multiplies every rate limit by 1,000. */
  @IsIn(['standard', 'test'], { message: 'must be standard or test' })
  @SafeForPeople(
    (value) => value === 'standard',
    'must be standard in production, unless PUBLIC_URL is an address of this machine itself',
  )
  rateLimitProfile: 'standard' | 'test' = 'standard';

  /** Changed rate limits, such as `sign-up=20/1800,anonymous=1000/300` (points/seconds); the names are in rate-limits/rate-limits.ts. */
  @IsOptional()
  @ValidateBy({ name: 'isRateLimits', validator: { validate: canBeRead, defaultMessage: whyNot } })
  rateLimits?: string;

  /** Whether administrators have their rights only with a second factor. */
  @IsIn(['required', 'encouraged'], { message: 'must be required or encouraged' })
  adminSecondFactor: 'required' | 'encouraged' = 'required';
}

function canBeRead(value: unknown): boolean {
  return problemOfRateLimits(value) === null;
}

function whyNot(given?: ValidationArguments): string {
  return problemOfRateLimits(given?.value) ?? '';
}
