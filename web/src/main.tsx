// Where the page begins: who is let in, then the view that the address names.
import { render } from 'preact';
import { askAhead } from './review/changes-ahead.js';
import { App } from './shell/app.js';
import { keepFocus } from './shell/keep-focus.js';
import { place } from './shell/router.js';
import { begin } from './shell/start.js';
import './shell/style.css';

const frame = document.getElementById('page');
if (frame !== null) {
  // Three ways to the server at once: who is let in, the parts of the view, and what it will ask for first.
  void begin().then(() => askAhead(place.value));
  askAhead(place.value);
  keepFocus(frame);
  render(<App />, frame);
}
