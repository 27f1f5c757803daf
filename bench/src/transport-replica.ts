import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { Handles, ServiceConfig, startService } from '@meetmark/platform';
import { Echo, type EchoRequest } from './transport-message.js';

@Controller()
class EchoController {
  @Handles(Echo)
  echo(request: EchoRequest): EchoRequest {
    return request;
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

await startService({ name: 'events', module: EchoModule, config: ServiceConfig, messages: [Echo] });
