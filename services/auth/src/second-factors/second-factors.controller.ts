import {
  BeginPasskey,
  BeginSecondStep,
  type BeginSecondStepRequest,
  BeginTotp,
  CompleteSecondStep,
  ConfirmPasskey,
  ConfirmTotp,
  ListSecondFactors,
  Reauthenticate,
  RemoveSecondFactor,
  RemoveSecondFactorsOf,
  RenewRecoveryCodes,
  SecondStepPasskeyOptions,
  type BeginPasskeyRequest,
  type CompleteSecondStepRequest,
  type ConfirmPasskeyRequest,
  type ConfirmTotpFields,
  type FactorIdRequest,
  type Nothing,
  type PasskeyOptionsRequest,
  type ReauthenticateRequest,
  type UserIdRequest,
} from '@meetmark/contracts';
import { Handles, type Call } from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { SecondFactorsService } from './second-factors.service.js';
import { SecondStepService } from './second-step.service.js';

@Controller()
export class SecondFactorsController {
  constructor(
    private readonly factors: SecondFactorsService,
    private readonly secondStep: SecondStepService,
  ) {}

  @Handles(ListSecondFactors)
  list(_: Nothing, call: Call) {
    return this.factors.list(call);
  }

  @Handles(BeginTotp)
  beginTotp(_: Nothing, call: Call) {
    return this.factors.beginTotp(call);
  }

  @Handles(ConfirmTotp)
  confirmTotp(request: ConfirmTotpFields, call: Call) {
    return this.factors.confirmTotp(request, call);
  }

  @Handles(BeginPasskey)
  beginPasskey({ site }: BeginPasskeyRequest, call: Call) {
    return this.factors.beginPasskey(site, call);
  }

  @Handles(ConfirmPasskey)
  confirmPasskey(request: ConfirmPasskeyRequest, call: Call) {
    return this.factors.confirmPasskey(request, call);
  }

  @Handles(RemoveSecondFactor)
  remove({ factorId }: FactorIdRequest, call: Call) {
    return this.factors.remove(factorId, call);
  }

  @Handles(RenewRecoveryCodes)
  renewRecoveryCodes(_: Nothing, call: Call) {
    return this.factors.renewRecoveryCodes(call);
  }

  @Handles(RemoveSecondFactorsOf)
  removeOf({ userId }: UserIdRequest, call: Call) {
    return this.factors.removeOf(userId, call);
  }

  @Handles(BeginSecondStep)
  begin(request: BeginSecondStepRequest) {
    return this.secondStep.begin(request);
  }

  @Handles(SecondStepPasskeyOptions)
  passkeyOptions(request: PasskeyOptionsRequest) {
    return this.secondStep.passkeyOptions(request);
  }

  @Handles(CompleteSecondStep)
  complete(request: CompleteSecondStepRequest) {
    return this.secondStep.complete(request);
  }

  @Handles(Reauthenticate)
  reauthenticate(request: ReauthenticateRequest, call: Call) {
    return this.secondStep.reauthenticate(request, call);
  }
}
