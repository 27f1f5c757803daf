import { UNVERIFIED_PLACES } from '@meetmark/contracts';
import {
  IntegerVariable,
  PublicUrlForPeople,
  SecretsVariable,
  ServiceConfig,
  UrlVariable,
} from '@meetmark/platform';
import { IsIn, IsString } from 'class-validator';

const HOUR_SECONDS = 3_600;
const TEST_FACTOR = 1_000;

export class EventsConfig extends ServiceConfig {
  @SecretsVariable()
  declare gatewayEventsSecrets: string[];

  @SecretsVariable()
  declare adminEventsSecrets: string[];

  /** Path of config/community.json: calendars carry the community's name and time zone. */
  @IsString({ message: 'must be the path of the community file' })
  communityConfig!: string;

  /** Where people reach the web application: calendar entries link back to it. */
  @UrlVariable('http', 'https')
  @PublicUrlForPeople()
  publicUrl!: string;

  /** Seconds between an edit and the mail about it; further edits within this time become part of the same mail. */
  @IntegerVariable(0, HOUR_SECONDS)
  eventChangedDelay = 120;

  /** `test` multiplies how many places a member may hold whose address is not verified by 1,000. */
  @IsIn(['standard', 'test'], { message: 'must be standard or test' })
  rateLimitProfile: 'standard' | 'test' = 'standard';

  get unverifiedPlaces(): number {
    return UNVERIFIED_PLACES * (this.rateLimitProfile === 'test' ? TEST_FACTOR : 1);
  }
}
