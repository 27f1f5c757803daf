import { CommunityFileVariable, ServiceConfig, UrlVariable } from '@meetmark/platform';
import { IsOptional } from 'class-validator';

export class AdminConfig extends ServiceConfig {
  /** If other machines can reach this URL, production requires strong secrets. */
  @IsOptional()
  @UrlVariable('http', 'https')
  publicUrl?: string;

  /** Settings file. Its time zone decides to which day a registration belongs. */
  @CommunityFileVariable()
  communityConfig!: string;
}
