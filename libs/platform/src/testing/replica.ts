import 'reflect-metadata';
import { startService } from '../process/start-service.js';
import { sampleMessages } from './sample.messages.js';
import { ledger, SampleModule } from './sample.service.js';
import { ServiceConfig } from '../config/service.config.js';

// A replica of the sample service in a child process. Sends each request's number to its parent.
ledger.begun = (number) => process.send?.({ begun: number });

await startService({ name: 'events', module: SampleModule, config: ServiceConfig, messages: sampleMessages });
