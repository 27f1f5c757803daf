import { Module } from '@nestjs/common';
import { PublicCache } from './public-cache.js';

@Module({ providers: [PublicCache], exports: [PublicCache] })
export class PublicCacheModule {}
