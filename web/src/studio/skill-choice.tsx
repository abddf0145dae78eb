// Which skill: the same in every panel.
import { signal } from '@preact/signals';
import { skills } from './book.js';
import { say } from './words.js';

export const chosenSkill = signal('continue');

export function SkillChoice() {
  return (
    <label>
      {say('skill.label')}{' '}
      <select
        value={chosenSkill.value}
        onChange={(event) => {
          chosenSkill.value = event.currentTarget.value;
        }}
      >
        {skills.value.map(({ id, name }) => (
          <option key={id} value={id} selected={id === chosenSkill.value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
