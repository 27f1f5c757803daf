import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { ProcessConfig, ServiceConfig, StoreConfig } from '../config/service.config.js';
import type { ConfigClass } from '../config/load-config.js';
import { Readiness } from '../operations/readiness.js';

/** What every provider of a process may inject: its configuration (by its own class and by those it extends) and Readiness. */
@Global()
@Module({})
export class PlatformModule {
  static forProcess<C extends ProcessConfig>(
    type: ConfigClass<C>,
    config: C,
    readiness: Readiness,
  ): DynamicModule {
    const configTypes = new Set<unknown>([type, ProcessConfig]);
    if (config instanceof StoreConfig) configTypes.add(StoreConfig);
    if (config instanceof ServiceConfig) configTypes.add(ServiceConfig);
    const providers = [...configTypes].map((token): Provider => ({
      provide: token as ConfigClass<C>,
      useValue: config,
    }));
    providers.push({ provide: Readiness, useValue: readiness });
    return { module: PlatformModule, providers, exports: providers };
  }
}
