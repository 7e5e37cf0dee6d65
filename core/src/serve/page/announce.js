// Says a sentence to who listens to the page instead of looking at it.
export const announce = text => {
  const place = document.getElementById('announcer');
  // The same sentence twice is said twice.
  place.textContent = place.textContent === text ? text + '\u00a0' : text;
};
