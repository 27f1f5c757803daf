import 'reflect-metadata';
import { startService } from '../process/start-service.js';
import { sampleMessages } from './sample.messages.js';
import { ledger, SampleModule } from './sample.service.js';
import { ServiceConfig } from '../config/service.config.js';

// Runs a replica of the sample service as a child process. Sends the number of each request to the parent
// process.
ledger.begun = (number) => process.send?.({ begun: number });

await startService({ name: 'events', module: SampleModule, config: ServiceConfig, messages: sampleMessages });
