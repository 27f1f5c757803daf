import { ChangePassword, ChangePasswordRequest, type User } from '@meetmark/contracts';
import { Controller, Get, Put, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access } from '../access/access.js';
import { Caller } from '../http/request.js';
import { SignInLimits } from '../limits/sign-in-limits.js';
import { Sessions } from '../sessions/sessions.js';
import { Describe } from '../openapi/describe.js';
import { Fields } from '../http/fields.js';
import { Services } from '../services.js';

@Controller('api/user')
export class UserController {
  constructor(
    private readonly services: Services,
    private readonly sessions: Sessions,
    private readonly limits: SignInLimits,
  ) {}

  @Describe({ summary: 'The signed-in user', answers: { 200: 'User' } })
  @Get()
  @Access('member')
  current(@Caller() caller: User): User {
    return caller;
  }

  /** Every other session of the caller ends with this; their own goes on under a new id (D13). */
  @Describe({
    summary: 'Change the own password; ends every other session',
    answers: { 200: 'User' },
    refuses: ['CURRENT_PASSWORD_INCORRECT', 'PASSWORD_UNCHANGED', 'PASSWORD_TOO_SHORT'],
  })
  @Put('change-password')
  @Access('member')
  async changePassword(
    @Caller() caller: User,
    @Fields(ChangePasswordRequest) fields: ChangePasswordRequest,
    @Req() request: FastifyRequest,
  ): Promise<User> {
    await this.limits.ownPassword(caller.id);
    const member = await this.services.call(ChangePassword, fields);
    await this.sessions.renew(request, member);
    return member.user;
  }
}
