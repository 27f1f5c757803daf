import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { Handles, startService } from '@meetmark/platform';
import { SampleConfig } from '@meetmark/platform/testing/test-keys';
import { Echo, type EchoRequest } from './transport-message.js';

/** A replica that answers what it was asked: what is measured is the way there and back. */
@Controller()
class EchoController {
  @Handles(Echo)
  echo(request: EchoRequest): EchoRequest {
    return request;
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

await startService({ name: 'events', module: EchoModule, config: SampleConfig, messages: [Echo] });
