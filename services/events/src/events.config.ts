import { UNPROVED_PLACES_OF_NETWORK, UNVERIFIED_PLACES } from '@meetmark/contracts';
import { IntegerVariable, SecretsVariable, ServiceConfig, SiteConfig } from '@meetmark/platform';
import { IsIn } from 'class-validator';

const HOUR_SECONDS = 3_600;
const TEST_FACTOR = 1_000;

export class EventsConfig extends SiteConfig(ServiceConfig) {
  @SecretsVariable()
  declare gatewayEventsSecrets: string[];

  /** Of what admin passes on for a gateway of 1.0.0. */
  @SecretsVariable()
  declare adminEventsSecrets: string[];

  /** Encipher the codes that guests show at the door. */
  @SecretsVariable()
  guestCodeSecrets!: string[];

  /** Seconds between an edit and the mail about it; further edits within this time become part of the same mail. */
  @IntegerVariable(0, HOUR_SECONDS)
  eventChangedDelay = 120;

  /** `test` multiplies the places of members with an unverified address, and those of their network, by 1,000. */
  @IsIn(['standard', 'test'], { message: 'must be standard or test' })
  rateLimitProfile: 'standard' | 'test' = 'standard';

  get unverifiedPlaces(): number {
    return UNVERIFIED_PLACES * this.factor;
  }

  get unprovedPlaces(): number {
    return UNPROVED_PLACES_OF_NETWORK * this.factor;
  }

  private get factor(): number {
    return this.rateLimitProfile === 'test' ? TEST_FACTOR : 1;
  }
}
