import { loadCommunity } from '@meetmark/platform/community/community';
import { Global, Module } from '@nestjs/common';
import { GatewayConfig } from '../gateway.config.js';
import { CommunityController } from './community.controller.js';
import { COMMUNITY } from './community.token.js';

const community = {
  provide: COMMUNITY,
  inject: [GatewayConfig],
  useFactory: ({ communityConfig }: GatewayConfig) => loadCommunity(communityConfig),
};

@Global()
@Module({ controllers: [CommunityController], providers: [community], exports: [community] })
export class CommunityModule {}
