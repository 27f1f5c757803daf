import type { OwnSession } from '@meetmark/contracts';
import { Controller, Delete, Get, HttpCode, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access } from '../access/access.js';
import { Describe } from '../openapi/describe.js';
import { Sessions } from '../sessions/sessions.js';
import { Id } from '../http/fields.js';

/** Where the caller is signed in. */
@Controller('api/user/sessions')
export class OwnSessionsController {
  constructor(private readonly sessions: Sessions) {}

  @Describe({ summary: 'The browsers that are signed in, newest first', answers: { 200: 'OwnSession[]' } })
  @Get()
  @Access('member')
  list(@Req() request: FastifyRequest): Promise<OwnSession[]> {
    return this.sessions.listOwn(request);
  }

  @Describe({ summary: 'Sign one browser out', answers: { 204: null }, refuses: ['SESSION_NOT_FOUND'] })
  @Delete(':id')
  @HttpCode(204)
  @Access('member')
  end(@Id() id: string, @Req() request: FastifyRequest): Promise<void> {
    return this.sessions.endOwn(request, id);
  }

  @Describe({ summary: 'Sign every other browser out', answers: { 204: null } })
  @Delete()
  @HttpCode(204)
  @Access('member')
  endOthers(@Req() request: FastifyRequest): Promise<void> {
    return this.sessions.endOthers(request);
  }
}
