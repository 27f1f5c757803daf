import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, Payload, Transport } from '@nestjs/microservices';
import { Work } from './sample.messages.js';

// Replica with Nest's own Redis transport, which delivers each request to every replica. A test uses it to
// show that it would notice duplicates.

@Controller()
class StockController {
  @MessagePattern(Work.name)
  work(@Payload() { number }: { number: number }) {
    process.send?.({ begun: number });
    return { number, pid: process.pid, text: '' };
  }
}

@Module({ controllers: [StockController] })
class StockModule {}

const { hostname: host, port } = new URL(process.env.REDIS_URL ?? '');
const options = { host, port: Number(port) };
const app = await NestFactory.createMicroservice(StockModule, {
  transport: Transport.REDIS,
  options,
  logger: false,
});
await app.listen();
process.send?.('ready');
process.on('disconnect', () => process.exit());
