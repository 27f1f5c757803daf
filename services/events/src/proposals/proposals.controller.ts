import {
  AcceptProposal,
  DeclineProposal,
  type DeclineProposalRequest,
  ListOwnProposals,
  ListProposals,
  type Nothing,
  type ProposalFields,
  type ProposalIdRequest,
  Propose,
} from '@meetmark/contracts';
import { type Call, callerId, Handles, identityOf } from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { ProposalsService } from './proposals.service.js';

@Controller()
export class ProposalsController {
  constructor(private readonly proposals: ProposalsService) {}

  @Handles(Propose)
  make(request: ProposalFields, call: Call) {
    return this.proposals.make(callerId(call), request);
  }

  @Handles(ListOwnProposals)
  listOwn(_request: Nothing, call: Call) {
    return this.proposals.listOwn(callerId(call));
  }

  @Handles(ListProposals)
  list() {
    return this.proposals.listOpen();
  }

  @Handles(AcceptProposal)
  accept({ proposalId }: ProposalIdRequest, call: Call) {
    return this.proposals.accept(identityOf(call), proposalId);
  }

  @Handles(DeclineProposal)
  decline(request: DeclineProposalRequest, call: Call) {
    return this.proposals.decline(identityOf(call), request);
  }
}
