import { Controller } from '@nestjs/common';
import {
  GetSetupState,
  type KeyedSignUpRequest,
  type Nothing,
  type SessionUser,
  SetUp,
  type SetupState,
  type SetUpRequest,
  SignIn,
  type SignInRequest,
  SignUp,
} from '@meetmark/contracts';
import { Handles } from '@meetmark/platform';
import { SetupService } from './setup.service.js';
import { SignInService } from './sign-in.service.js';

@Controller()
export class SignInController {
  constructor(private readonly signIns: SignInService) {}

  @Handles(SignUp)
  signUp(request: KeyedSignUpRequest): Promise<SessionUser> {
    return this.signIns.signUp(request);
  }

  @Handles(SignIn)
  signIn(request: SignInRequest): Promise<SessionUser> {
    return this.signIns.signIn(request);
  }
}

@Controller()
export class SetupController {
  constructor(private readonly setup: SetupService) {}

  @Handles(GetSetupState)
  state(_request: Nothing): Promise<SetupState> {
    return this.setup.state();
  }

  @Handles(SetUp)
  setUp(request: SetUpRequest): Promise<SessionUser> {
    return this.setup.setUp(request);
  }
}
