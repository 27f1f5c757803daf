import { ServiceConfig } from '@meetmark/platform';
import { IsString } from 'class-validator';

export class AdminConfig extends ServiceConfig {
  /** Path of config/community.json: the registration activity is counted by the days of the community's time zone. */
  @IsString({ message: 'must be the path of the community file' })
  communityConfig!: string;
}
