// What a skill needs and its seven rules cannot say. Project skills of the same id share the habit.

export interface SkillHabit {
  /** What is worked on when nothing is selected: the whole document, or the place of the cursor. */
  readonly unselected: 'document' | 'cursor';
  readonly summariesOf: 'document' | 'project';
  /** Whether passages of the project that resemble the text are looked up. */
  readonly retrieval: boolean;
  /** Whether it is told how the ones who are named stand to each other. */
  readonly relations: boolean;
}

const usual: SkillHabit = {
  unselected: 'document',
  summariesOf: 'document',
  retrieval: false,
  relations: false,
};

const habits: ReadonlyMap<string, SkillHabit> = new Map([
  ['continue', { ...usual, unselected: 'cursor', summariesOf: 'project', retrieval: true }],
  ['dialogue', { ...usual, unselected: 'cursor', relations: true }],
  ['consistency', { ...usual, summariesOf: 'project', retrieval: true }],
]);

export function habitOf(skillId: string): SkillHabit {
  return habits.get(skillId) ?? usual;
}
