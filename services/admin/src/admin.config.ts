import { CommunityFileVariable, ServiceConfig, UrlVariable } from '@meetmark/platform';
import { IsOptional } from 'class-validator';

export class AdminConfig extends ServiceConfig {
  /** In production, a URL that others can reach requires strong secrets. */
  @IsOptional()
  @UrlVariable('http', 'https')
  publicUrl?: string;

  /** The file's time zone decides to which day a registration belongs. */
  @CommunityFileVariable()
  communityConfig!: string;
}
