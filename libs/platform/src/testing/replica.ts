import 'reflect-metadata';
import { startService } from '../process/start-service.js';
import { sampleMessages } from './sample.messages.js';
import { ledger, SampleModule } from './sample.service.js';
import { SampleConfig } from './test-keys.js';

// One replica of the sample service, run as a child process. It sends the number of each request to its parent.
ledger.begun = (number) => process.send?.({ begun: number });

await startService({ name: 'events', module: SampleModule, config: SampleConfig, messages: sampleMessages });
