import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, Payload, Transport } from '@nestjs/microservices';
import { Work } from './sample.messages.js';

// Replica that uses Nest's Redis transport. It shows that the tests would notice a request that is handled
// twice.

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
