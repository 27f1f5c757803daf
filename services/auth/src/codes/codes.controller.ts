import { Controller } from '@nestjs/common';
import {
  CancelEmailChange,
  ConfirmCode,
  ConfirmContact,
  ConfirmLink,
  ConfirmRsvp,
  GetFlow,
  RequestCode,
  RequestContact,
  RequestRsvp,
  RequestVerification,
  ResendEmailCode,
  ResetPassword,
  RevertEmail,
  type ConfirmCodeRequest,
  type ConfirmContactRequest,
  type ConfirmLinkRequest,
  type ConfirmRsvpRequest,
  type GetFlowRequest,
  type Nothing,
  type RequestCodeRequest,
  type RequestContactRequest,
  type RequestRsvpRequest,
  type RequestVerificationRequest,
  type ResendEmailCodeRequest,
  type ResetPasswordRequest,
  type RevertEmailRequest,
} from '@meetmark/contracts';
import { Handles, type Call } from '@meetmark/platform';
import { CodesService } from './codes.service.js';

@Controller()
export class CodesController {
  constructor(private readonly codes: CodesService) {}

  @Handles(RequestCode)
  request(request: RequestCodeRequest) {
    return this.codes.request(request);
  }

  @Handles(RequestRsvp)
  requestRsvp(request: RequestRsvpRequest) {
    return this.codes.requestRsvp(request);
  }

  @Handles(RequestContact)
  requestContact(request: RequestContactRequest) {
    return this.codes.requestContact(request);
  }

  @Handles(ConfirmContact)
  confirmContact(request: ConfirmContactRequest) {
    return this.codes.confirmContact(request);
  }

  @Handles(RequestVerification)
  requestVerification(request: RequestVerificationRequest, call: Call) {
    return this.codes.requestVerification(request, call);
  }

  @Handles(GetFlow)
  state(request: GetFlowRequest) {
    return this.codes.state(request);
  }

  @Handles(ConfirmCode)
  confirm(request: ConfirmCodeRequest, call: Call) {
    return this.codes.confirm(request, call);
  }

  @Handles(ConfirmRsvp)
  confirmRsvp(request: ConfirmRsvpRequest, call: Call) {
    return this.codes.confirmRsvp(request, call);
  }

  @Handles(ConfirmLink)
  confirmLink(request: ConfirmLinkRequest, call: Call) {
    return this.codes.confirmLink(request, call);
  }

  @Handles(ResetPassword)
  resetPassword(request: ResetPasswordRequest, call: Call) {
    return this.codes.resetPassword(request, call);
  }

  @Handles(ResendEmailCode)
  resendEmailCode(request: ResendEmailCodeRequest, call: Call) {
    return this.codes.resendEmailCode(request, call);
  }

  @Handles(CancelEmailChange)
  cancelEmailChange(_request: Nothing, call: Call) {
    return this.codes.cancelEmailChange(call);
  }

  @Handles(RevertEmail)
  revertEmail(request: RevertEmailRequest) {
    return this.codes.revertEmail(request);
  }
}
