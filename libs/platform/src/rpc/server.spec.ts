import 'reflect-metadata';
import { testRedis } from '@meetmark/testing';
import { openTestService, testConfig } from '../testing/open-service.js';
import { Look, sampleMessages } from '../testing/sample.messages.js';
import { SampleModule } from '../testing/sample.service.js';

describe('a service', () => {
  const open = async (module: new () => object, messages = sampleMessages) => {
    const config = testConfig({ redisUrl: (await testRedis()).urlFor('events') });
    return openTestService('events', module, messages, config);
  };

  it('does not start when one of its messages has no handler', async () => {
    await expect(open(SampleModule, [...sampleMessages, { ...Look, name: 'sample.other' }])).rejects.toThrow(
      'service events cannot start: sample.other has no handler',
    );
  });

  it("does not start when it handles another service's message", async () => {
    await expect(open(SampleModule, sampleMessages.slice(1))).rejects.toThrow(
      'sample.work is handled here but is not a message of events',
    );
  });
});
