import { Controller } from '@nestjs/common';
import {
  type KeyedSignUpRequest,
  type SessionUser,
  SignIn,
  type SignInRequest,
  SignUp,
} from '@meetmark/contracts';
import { Handles } from '@meetmark/platform';
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
