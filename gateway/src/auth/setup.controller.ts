import { DomainError, GetSetupState, SetUp, SetUpRequest } from '@meetmark/contracts';
import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Access } from '../http/access.js';
import { Fields } from '../http/fields.js';
import { Describe } from '../openapi/describe.js';
import { subscriber } from '../networks.js';
import { RateLimiter } from '../rate-limits/rate-limiter.js';
import { ANONYMOUS, Services } from '../services.js';
import { Sessions } from '../sessions/sessions.js';
import { Installation } from '../site/installation.js';
import { User } from '../users/users.dto.js';

class SetupOpen {
  @ApiProperty({ enum: [true] }) open!: boolean;
}

@Controller('api/setup')
export class SetupController {
  constructor(
    private readonly services: Services,
    private readonly sessions: Sessions,
    private readonly limiter: RateLimiter,
    private readonly installation: Installation,
  ) {}

  @Describe({
    summary: 'Check whether the installation has an owner',
    description: '200 until the first owner exists, then 404.',
    answers: { 200: SetupOpen },
    refuses: ['NOT_FOUND'],
  })
  @Get()
  @Access('public')
  async state(): Promise<SetupOpen> {
    const { open } = await this.services.read(GetSetupState, {}, ANONYMOUS);
    if (!open) throw new DomainError('NOT_FOUND');
    return { open };
  }

  @Describe({
    summary: 'Create the first owner',
    description:
      "`token` is the part after the `#` of the link that the operator's `create-setup-link` command prints. Signs in as the new owner. The same link, address and password can be sent again after a lost response. 400 `SETUP_LINK_INVALID` for a link that is wrong, used, replaced or older than a day.",
    answers: { 200: User },
    refuses: ['SETUP_LINK_INVALID', 'NOT_FOUND', 'EMAIL_EXISTS'],
  })
  @Post()
  @HttpCode(200)
  @Access('public')
  async setUp(@Fields(SetUpRequest) fields: SetUpRequest, @Req() request: FastifyRequest): Promise<User> {
    await this.limiter.consumeAll('setup', subscriber(request.ip));
    const member = await this.services.call(SetUp, fields);
    this.installation.close();
    await this.sessions.start(request, member);
    return member.user;
  }
}
