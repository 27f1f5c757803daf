import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, Payload, Transport } from '@nestjs/microservices';
import pg from 'pg';
import { STOCK_CREATE, type StockCreate } from './stock-transport.js';

// Creates events over Nest's Redis transport, as the negative control of F0.
const [, , databaseUrl = '', redisUrl = ''] = process.argv;
const database = new pg.Pool({ connectionString: databaseUrl, max: 2 });

@Controller()
class StockController {
  @MessagePattern(STOCK_CREATE)
  async create(@Payload() { title, createdById }: StockCreate): Promise<object> {
    await database.query(
      `INSERT INTO events.events (id, title, start_date, end_date, created_by_id)
       VALUES (gen_random_uuid(), $1, now() + interval '1 day', now() + interval '2 days', $2)`,
      [title, createdById],
    );
    return {};
  }
}

@Module({ controllers: [StockController] })
class StockModule {}

const { hostname: host, port, username, password } = new URL(redisUrl);
const app = await NestFactory.createMicroservice(StockModule, {
  transport: Transport.REDIS,
  options: { host, port: Number(port), username, password },
  logger: false,
});
await app.listen();
process.send?.('ready');
process.on('disconnect', () => process.exit());
