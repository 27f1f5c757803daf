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
  /** Of its Redis: for the test's own looks. */
  ownerUrl: string;
  service: OpenedService;
  caller: TestCaller;
  /** One more replica; it ends with the others. */
  another(): Promise<OpenedService>;
  close(): Promise<void>;
}

/** The sample service in the place of events, and somebody who calls it, with a queue of their own. */
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
