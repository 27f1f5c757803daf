import 'reflect-metadata';
import { startService } from '../process/start-service.js';
import { sampleMessages } from './sample.messages.js';
import { ledger, SampleModule } from './sample.service.js';
import { SampleConfig } from './test-keys.js';

// Runs one replica of the sample service as a child process, which tells its parent of each request that it begins.
ledger.begun = (number) => process.send?.({ begun: number });

await startService({ name: 'events', module: SampleModule, config: SampleConfig, messages: sampleMessages });
