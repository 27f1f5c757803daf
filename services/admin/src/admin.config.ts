import { SecretsVariable, ServiceConfig } from '@meetmark/platform';
import { IsString } from 'class-validator';

export class AdminConfig extends ServiceConfig {
  @SecretsVariable()
  declare gatewayAdminSecrets: string[];

  @SecretsVariable()
  declare adminAuthSecrets: string[];

  @SecretsVariable()
  declare adminEventsSecrets: string[];

  /** Path of config/community.json: the registration activity is counted by the days of the community's time zone. */
  @IsString({ message: 'must be the path of the community file' })
  communityConfig!: string;
}
