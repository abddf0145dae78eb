// Which skill: the same in every panel, and at hand where text is selected.
import { signal } from '@preact/signals';
import { skillName } from '../shell/words/facts.js';
import { chosenPanel, skills } from './book.js';
import { say } from './words.js';

export const chosenSkill = signal('continue');
/** Asked for where the panel that runs skills may not be shown yet. */
export const isRunWanted = signal(false);

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
        {skills.value.map((skill) => (
          <option key={skill.id} value={skill.id} selected={skill.id === chosenSkill.value}>
            {skillName(skill)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A button for each skill that works on a selection. */
export function skillButtons(): HTMLElement {
  const bar = document.createElement('div');
  bar.className = 'row skill-bar';
  bar.role = 'toolbar';
  bar.ariaLabel = say('skill.selected');
  for (const skill of skills.peek().filter(({ id }) => id !== 'continue')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = skillName(skill);
    // The selection stays while the button is pressed.
    button.onmousedown = (event) => event.preventDefault();
    button.onclick = () => {
      chosenSkill.value = skill.id;
      chosenPanel.value = 'skill.title';
      isRunWanted.value = true;
    };
    bar.append(button);
  }
  return bar;
}
