import { Controller } from '@nestjs/common';
import {
  RequestResetCode,
  ResetPassword,
  type RequestResetCodeRequest,
  type ResetPasswordRequest,
} from '@meetmark/contracts';
import { Handles } from '@meetmark/platform';
import { ResetCodesService } from './reset-codes.service.js';

@Controller()
export class ResetCodesController {
  constructor(private readonly resetCodes: ResetCodesService) {}

  @Handles(RequestResetCode)
  request(request: RequestResetCodeRequest): Promise<void> {
    return this.resetCodes.request(request);
  }

  @Handles(ResetPassword)
  resetPassword(request: ResetPasswordRequest): Promise<void> {
    return this.resetCodes.resetPassword(request);
  }
}
