// A folder that is no project yet, with chapters or without: what will be made is said before it is made.
import { useState } from 'preact/hooks';
import { call } from '../shell/call.js';
import { begin, project } from '../shell/start.js';
import { Trouble } from '../shell/trouble.js';
import { say } from './words.js';

const files = ['.galley/constraints.md', '.galley/project.json', '.galley/.gitignore', '.galley/galley.db'];

export function BeginView() {
  const [failure, setFailure] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    try {
      await call('book:begin', { projectId: project.value.projectId });
      await begin();
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  return (
    <section class="message">
      <h1>{say('begin.title')}</h1>
      <p>{say('begin.text')}</p>
      <p>{say('begin.files', { folder: project.value.name })}</p>
      <ul>
        {files.map((file) => (
          <li key={file}>
            <code>{file}</code>
          </li>
        ))}
      </ul>
      {failure === undefined ? null : <Trouble error={failure} />}
      <button type="button" class="primary" disabled={isBusy} onClick={() => void start()}>
        {isBusy ? say('busy') : say('begin.button')}
      </button>
    </section>
  );
}
