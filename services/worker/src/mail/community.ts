import type { Community } from '@meetmark/contracts';
import { loadCommunity } from '@meetmark/platform/community/community';
import { Inject, type FactoryProvider } from '@nestjs/common';
import { WorkerConfig } from '../worker.config.js';

const COMMUNITY = Symbol('COMMUNITY');

/** The community's configuration, as a constructor parameter. */
export const InjectCommunity = () => Inject(COMMUNITY);

/** Read and checked once, when the process starts. */
export const community: FactoryProvider<Community> = {
  provide: COMMUNITY,
  inject: [WorkerConfig],
  useFactory: (config: WorkerConfig) => loadCommunity(config.communityConfig),
};
