import { IntegerVariable, SecretsVariable, ServiceConfig, SiteConfig } from '@meetmark/platform';
import { IsIn } from 'class-validator';

const HOUR_SECONDS = 3_600;
const TEST_FACTOR = 1_000;

export class EventsConfig extends SiteConfig(ServiceConfig) {
  @SecretsVariable()
  guestCodeSecrets!: string[];

  /** Seconds between an edit and its email. Further edits restart the delay and join the same email. */
  @IntegerVariable(0, HOUR_SECONDS)
  eventChangedDelay = 120;

  /** Maximum registrations per event and network by members with an unverified email address. */
  @IntegerVariable(1, 1_000_000)
  unconfirmedPerNetwork = 20;

  @IsIn(['standard', 'test'], { message: 'must be standard or test' })
  rateLimitProfile: 'standard' | 'test' = 'standard';

  get unconfirmedLimit(): number {
    return this.unconfirmedPerNetwork * (this.rateLimitProfile === 'test' ? TEST_FACTOR : 1);
  }
}
