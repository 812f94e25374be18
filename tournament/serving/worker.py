"""A worker of a hosted site: it takes long works from the line, one after another.

A worker says every few seconds that it is there. One that was killed is silent, and what it was at is done again from
its beginning by another: that ends in the same file, and an import that had come to its end is found.
"""

from __future__ import annotations

import asyncio

from django.db import OperationalError
from procrastinate import App, JobContext, RetryStrategy
from procrastinate.contrib.django import app

from tournament.services.line import QUEUE, TASK
from tournament.services.works import run_work

BEAT_SECONDS, SILENT_SECONDS = 5, 20
# While a standby takes over, the database is not there for some seconds.
AGAIN = RetryStrategy(max_attempts=10, wait=5, retry_exceptions=[OperationalError])


@app.task(name=TASK, queue=QUEUE, retry=AGAIN)
def _work(key: str) -> None:
    run_work(key, again=True)


@app.periodic(cron="* * * * * */10")
@app.task(name="resume", queue=QUEUE, queueing_lock="resume", pass_context=True)
async def _resume(context: JobContext, timestamp: int) -> None:
    """Put back in line what workers had in hand that are silent."""
    jobs = context.app.job_manager
    for job in await jobs.get_stalled_jobs(seconds_since_heartbeat=SILENT_SECONDS):
        await jobs.retry_job(job)


def work() -> None:
    """Take works until this process is told to stop; it ends when the one in hand is done."""
    with app.replace_connector(app.connector.get_worker_connector()) as worker:  # type: ignore[attr-defined]  # Django's
        asyncio.run(_work_in(worker))


async def _work_in(worker: App) -> None:
    async with worker.open_async():
        await worker.run_worker_async(
            queues=[QUEUE],
            delete_jobs="successful",
            update_heartbeat_interval=BEAT_SECONDS,
            stalled_worker_timeout=SILENT_SECONDS,
        )
