import 'reflect-metadata';
import { redisUrlAs, testRedis } from '@meetmark/testing';
import type { ServiceConfig } from '../config/service.config.js';
import {
  openCaller,
  openTestService,
  testConfig,
  type OpenedService,
  type TestCaller,
} from './open-service.js';
import { sampleMessages } from './sample.messages.js';
import { SampleModule } from './sample.service.js';

export interface Sample {
  config: ServiceConfig;
  ownerUrl: string;
  service: OpenedService;
  caller: TestCaller;
  another(): Promise<OpenedService>;
  close(): Promise<void>;
}

/** Opens the sample service under the name `events`, and a caller for it. No other test uses their queue. */
export async function openSample(values: Partial<ServiceConfig> = {}): Promise<Sample> {
  const ownerUrl = values.redisUrl ?? (await testRedis()).ownerUrl;
  const config = testConfig({ ...values, redisUrl: redisUrlAs(ownerUrl, 'events') });
  const services: OpenedService[] = [];
  const another = async () => {
    const service = await openTestService('events', SampleModule, sampleMessages, config);
    services.push(service);
    return service;
  };
  const service = await another();
  const caller = await openCaller(config);
  return {
    ...{ config, ownerUrl, service, caller, another },
    close: async () => {
      caller.close();
      await Promise.all(services.map((each) => each.stop()));
    },
  };
}
