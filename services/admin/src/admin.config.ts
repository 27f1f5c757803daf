import { CommunityFileVariable, SecretsVariable, ServiceConfig, UrlVariable } from '@meetmark/platform';
import { IsOptional } from 'class-validator';

export class AdminConfig extends ServiceConfig {
  /** The address that browsers use, if it is given: secrets of an installation for people must be strong. */
  @IsOptional()
  @UrlVariable('http', 'https')
  publicUrl?: string;

  @SecretsVariable()
  declare gatewayAdminSecrets: string[];

  /** Of what is passed on for a gateway of 1.0.0. */
  @SecretsVariable()
  declare adminAuthSecrets: string[];

  /** As `adminAuthSecrets`. */
  @SecretsVariable()
  declare adminEventsSecrets: string[];

  /** Path of config/community.json: the registration activity is counted by the days of the community's time zone. */
  @CommunityFileVariable()
  communityConfig!: string;
}
