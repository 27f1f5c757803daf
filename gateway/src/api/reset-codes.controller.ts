import {
  RequestResetCode,
  RequestResetCodeRequest,
  ResetPassword,
  ResetPasswordRequest,
} from '@meetmark/contracts';
import { Controller, HttpCode, Ip, Post } from '@nestjs/common';
import { Access } from '../access/access.js';
import { CodeLimits } from '../limits/code-limits.js';
import { Describe } from '../openapi/describe.js';
import { Fields } from './fields.js';
import { Services } from './services.js';

export interface Notice {
  message: string;
}

/** Getting back into an account by a code that was mailed (D18). */
@Controller('api')
export class ResetCodesController {
  constructor(
    private readonly services: Services,
    private readonly limits: CodeLimits,
  ) {}

  @Describe({
    summary: 'Have a reset code mailed; answers alike for any address',
    answers: { 202: 'Notice' },
  })
  @Post('forgot-password')
  @HttpCode(202)
  @Access('public')
  async request(
    @Fields(RequestResetCodeRequest) fields: RequestResetCodeRequest,
    @Ip() ip: string,
  ): Promise<Notice> {
    await this.limits.request(ip);
    await this.services.call(RequestResetCode, fields);
    return { message: 'If there is an account with this address, a reset code is on its way' };
  }

  @Describe({
    summary: 'Set a new password with a reset code; ends every session',
    answers: { 200: 'Notice' },
    refuses: ['RESET_CODE_INVALID', 'PASSWORD_TOO_SHORT'],
  })
  @Post('reset-password')
  @HttpCode(200)
  @Access('public')
  async reset(@Fields(ResetPasswordRequest) fields: ResetPasswordRequest, @Ip() ip: string): Promise<Notice> {
    await this.limits.attempt(ip);
    await this.services.call(ResetPassword, fields);
    return { message: 'Your password has been reset successfully' };
  }
}
