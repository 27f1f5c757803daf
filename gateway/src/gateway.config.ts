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
const MAX_FAREWELL = 10_000;

/** Prevents a start with a key that is unknown to the services. They would refuse every identity. */
const PublicPartIsKnown = () =>
  ValidateBy({
    name: 'isPublicPartKnown',
    validator: {
      validate: (value: unknown, given) => isKnown(String(value), given?.object as GatewayConfig),
      defaultMessage: () =>
        'must be the private key of one of IDENTITY_PUBLIC_KEYS: take both from `node scripts/make-env.mjs --identity`',
    },
  });

function isKnown(privateKey: string, { identityPublicKeys }: GatewayConfig): boolean {
  try {
    return new IdentityKeys(identityPublicKeys).has(new IdentityKey(privateKey).id);
  } catch {
    return true;
  }
}

export class GatewayConfig extends SiteConfig(ServiceConfig) {
  /** Signs the identity of callers. Services verify the signature with IDENTITY_PUBLIC_KEYS. */
  @PublicPartIsKnown()
  @PrivateKeyVariable()
  identityPrivateKey!: string;

  @IntegerVariable(0, MAX_PORT)
  port = 8080;

  @IsString()
  host = '0.0.0.0';

  /** The first secret signs new cookies. All secrets verify them. */
  @SecretsVariable()
  sessionSecrets!: string[];

  /** Secrets that verify links in emails, such as one-click unsubscribe. The worker signs the links. */
  @SecretsVariable()
  linkSecrets!: string[];

  /** Number of proxies that append to X-Forwarded-For. With 0, the header is ignored. */
  @IntegerVariable(0, MAX_PROXIES)
  trustedProxies = 0;

  /** Milliseconds that clients have to leave a stopping gateway before it refuses new requests. */
  @IntegerVariable(0, MAX_FAREWELL)
  farewell = 1_000;

  /** Without the built web application, the gateway only serves the API. */
  @IsOptional()
  @IsString()
  webRoot?: string;

  /** `test` multiplies the rate limits by 1,000. */
  @IsIn(['standard', 'test'], { message: 'must be standard or test' })
  @SafeForPeople(
    (value) => value === 'standard',
    'must be standard in production, unless PUBLIC_URL is an address of this machine',
  )
  rateLimitProfile: 'standard' | 'test' = 'standard';

  /**
   * Overrides rate limits (points/seconds), for example `sign-up=20/1800,anonymous=1000/300`. The names are
   * in rate-limits.ts.
   */
  @IsOptional()
  @ValidateBy({ name: 'isRateLimits', validator: { validate: canBeRead, defaultMessage: whyNot } })
  rateLimits?: string;

  /** `required` overrides the community's settings. */
  @IsIn(['required', 'encouraged'], { message: 'must be required or encouraged' })
  adminSecondFactor: 'required' | 'encouraged' = 'encouraged';

  /** With `on`, organisers can import events from URLs. The gateway needs access to the internet. */
  @IsIn(['on', 'off'], { message: 'must be on or off' })
  importUrls: 'on' | 'off' = 'off';
}

function canBeRead(value: unknown): boolean {
  return problemOfRateLimits(value) === null;
}

function whyNot(given?: ValidationArguments): string {
  return problemOfRateLimits(given?.value) ?? '';
}
