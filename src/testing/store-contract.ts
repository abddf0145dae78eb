// The promises of a store, run against every engine. The caller brings the test runner and the ground the store stands on.
import { accessContract } from './store-contract/access.js';
import { constraintsContract } from './store-contract/constraints.js';
import { documentsContract } from './store-contract/documents.js';
import { draftsContract } from './store-contract/drafts.js';
import type { StoreGround, TestTools } from './store-contract/ground.js';
import { jobsContract } from './store-contract/jobs.js';
import { materialContract } from './store-contract/material.js';
import { recordsContract } from './store-contract/records.js';
import { retrievalContract } from './store-contract/retrieval.js';
import { roomsContract } from './store-contract/rooms.js';
import { sharingContract } from './store-contract/sharing.js';
import { vectorsContract } from './store-contract/vectors.js';

export function storeContract(tools: TestTools, name: string, newGround: () => Promise<StoreGround>): void {
  tools.describe(`store contract: ${name}`, () => {
    documentsContract(tools, newGround);
    constraintsContract(tools, newGround);
    materialContract(tools, newGround);
    recordsContract(tools, newGround);
    retrievalContract(tools, newGround);
    vectorsContract(tools, newGround);
    draftsContract(tools, newGround);
    roomsContract(tools, newGround);
    accessContract(tools, newGround);
    jobsContract(tools, newGround);
    sharingContract(tools, newGround);
  });
}
