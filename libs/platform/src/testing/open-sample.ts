import 'reflect-metadata';
import { testRedisUrl } from '@meetmark/testing';
import type { ServiceConfig } from '../config/service.config.js';
import {
  openCaller,
  openTestService,
  ownPrefix,
  testConfig,
  type OpenedService,
  type TestCaller,
} from './open-service.js';
import { sampleMessages } from './sample.messages.js';
import { SampleModule } from './sample.service.js';

export interface Sample {
  config: ServiceConfig;
  service: OpenedService;
  caller: TestCaller;
  /** One more replica; it ends with the others. */
  another(): Promise<OpenedService>;
  close(): Promise<void>;
}

/** The sample service in the place of events, and somebody who calls it, with a queue of their own. */
export async function openSample(values: Partial<ServiceConfig> = {}): Promise<Sample> {
  const redisUrl = values.redisUrl ?? (await testRedisUrl());
  const config = testConfig({ rpcPrefix: ownPrefix(), ...values, redisUrl });
  const services: OpenedService[] = [];
  const another = async () => {
    const service = await openTestService('events', SampleModule, sampleMessages, config);
    services.push(service);
    return service;
  };
  const service = await another();
  const caller = await openCaller(config);
  return {
    ...{ config, service, caller, another },
    close: async () => {
      caller.close();
      await Promise.all(services.map((each) => each.stop()));
    },
  };
}
