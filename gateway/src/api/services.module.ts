import { Global, Module } from '@nestjs/common';
import { Services } from './services.js';

@Global()
@Module({ providers: [Services], exports: [Services] })
export class ServicesModule {}
