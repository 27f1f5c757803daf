import type * as Contract from '@meetmark/contracts';
import { loadCommunity } from '@meetmark/platform/community/community';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CachedResponse } from '../cache/cached-response.js';
import { GatewayConfig } from '../gateway.config.js';
import { Access } from '../http/access.js';
import { Describe } from '../openapi/describe.js';

/** Injects the Community of config/community.json. */
export const COMMUNITY = Symbol('community');

export const communityProvider = {
  provide: COMMUNITY,
  inject: [GatewayConfig],
  useFactory: ({ communityConfig }: GatewayConfig) => loadCommunity(communityConfig),
};

class Sponsor implements Contract.Sponsor {
  @ApiProperty() name!: string;
  @ApiProperty() logoUrl!: string;
  @ApiProperty() url!: string;
}

class Community implements Contract.Community {
  @ApiProperty() name!: string;
  @ApiProperty() tagline!: string;
  @ApiProperty() supportEmail!: string;
  @ApiProperty() linkedInUrl!: string;
  @ApiProperty({ type: [Sponsor] }) sponsors!: Sponsor[];
  @ApiProperty({ type: 'integer' }) copyrightYear!: number;
  @ApiProperty() currency!: string;
  @ApiProperty() timeZone!: string;
  @ApiProperty() locale!: string;
  @ApiProperty({ description: 'How one pays for an event that does not say it' })
  paymentNoteDefault!: string;
  @ApiProperty({ description: 'Whether members may propose events' }) memberProposals!: boolean;
}

@Controller('api/config')
export class CommunityController {
  private readonly response: CachedResponse;

  constructor(@Inject(COMMUNITY) community: Community) {
    this.response = CachedResponse.json(community);
  }

  @Describe({ summary: 'The configuration of the community', answers: { 200: Community } })
  @Get()
  @Access('public')
  config(@Res() reply: FastifyReply): Promise<void> {
    return this.response.send(reply);
  }
}
