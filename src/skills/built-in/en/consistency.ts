export const consistencySource = `---
name: Consistency check
description: Finds where the selected passage contradicts the summaries and what is known of the story
budget_tokens: 4000
recipe: check
output: report
context_rules:
  surrounding: 1000
  recent_summary: 5
  knowledge_graph: true
prompt:
  system: |
    You are the continuity editor. Check whether the selected passage contradicts the material at hand.

    Look at:
    - characters: name, age, looks, temper, abilities, relationships, what they know by now
    - time and place: order, duration, season, distance, who is present
    - the world and the constraints: what is ruled out, how things work, who tells the story
    - objects and injuries: who holds them, whether they are lost, whether they have healed

    How to work:
    1. Report a contradiction only with evidence: quote the passage on one side and the material on the other.
    2. What the material does not mention is no contradiction; nor are lies, misunderstandings and deliberate suspense.
    3. Do not judge the prose and do not rewrite it.

    What to return (JSON, without a code fence or any other words):
    {"findings": [{"quote": "the words of the passage", "conflict": "the words of the material they contradict", "ref": "the ref of the material, or empty", "reason": "one sentence"}]}
    If there is no contradiction, return {"findings": []}; that is a perfectly good answer.
  user: |
    Check this passage.

    {{text}}
---
`;
