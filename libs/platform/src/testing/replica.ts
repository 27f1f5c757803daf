import 'reflect-metadata';
import { startService } from '../process/start-service.js';
import { sampleMessages } from './sample.messages.js';
import { ledger, SampleModule } from './sample.service.js';
import { SampleConfig } from './test-keys.js';

// a replica of the sample service in a process of its own; tells its parent what it begins
ledger.begun = (number) => process.send?.({ begun: number });

await startService({ name: 'events', module: SampleModule, config: SampleConfig, messages: sampleMessages });
