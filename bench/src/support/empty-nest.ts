import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Transport } from '@nestjs/microservices';

@Module({})
class EmptyModule {}

/** Minimal Nest process that reports by IPC when it listens. */
const app = await NestFactory.createMicroservice(EmptyModule, {
  transport: Transport.TCP,
  options: { host: '127.0.0.1', port: 0 },
  logger: false,
});
await app.listen();
process.send?.('ready');
process.on('disconnect', () => process.exit());
